// Shows the OpenAPI document. No validator: that would be somebody else's server.
SwaggerUIBundle({
  dom_id: "#swagger-ui",
  url: "../openapi.json",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
});
