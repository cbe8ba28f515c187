//! How handlers get to their addresses together with their descriptions.

/// Makes two functions of a list of handlers that `#[utoipa::path]` describes: `routes`, with each at the address and method of
/// its description, and, for the test that keeps `docs/openapi.json`, `described`. A description takes far more room than a
/// route, and whoever serves needs none: what is served is the kept copy.
macro_rules! operations {
    ($($module:ident :: $handler:ident),+ $(,)?) => {
        /// The operations, without the root of their addresses.
        pub fn routes() -> axum::Router<crate::web::WebState> {
            use utoipa::Path;
            use utoipa_axum::PathItemExt;
            axum::Router::new()$(.merge(utoipa_axum::paste! {{
                let of = |router: axum::Router<_>, method: &utoipa::openapi::HttpMethod| {
                    let handler = axum::routing::on(method.to_method_filter(), $module::$handler);
                    router.route(&$module::[<__path_ $handler>]::path(), handler)
                };
                $module::[<__path_ $handler>]::methods().iter().fold(axum::Router::new(), of)
            }}))+
        }

        /// The same with their descriptions.
        #[cfg(test)]
        pub fn described() -> utoipa_axum::router::OpenApiRouter<crate::web::WebState> {
            utoipa_axum::router::OpenApiRouter::new()$(.routes(utoipa_axum::routes!($module::$handler)))+
        }
    };
}

pub(super) use operations;
