# The server as an image: the program and nothing that it does not need, run by a user who is not root.
# `docker build -t fieldcommand .` (buildah and podman keep the health check with `--format docker` only); other bases by
# --build-arg, as long as both have the same C library.
ARG BUILD_BASE=docker.io/library/rust:1.95-bookworm
ARG RUN_BASE=docker.io/library/debian:bookworm-slim

FROM ${BUILD_BASE} AS build
WORKDIR /build
COPY . .
# What Cargo.lock says, and nothing else.
RUN cargo build --profile dist --locked && strip --strip-unneeded -o /fieldcommand target/dist/fieldcommand

FROM ${RUN_BASE}
RUN useradd --system --uid 990 --home-dir /data fieldcommand && install -d -o fieldcommand -m 700 /data /backups
COPY --from=build /fieldcommand /usr/local/bin/fieldcommand
# Without it the C library keeps a heap for each thread that has ever drawn a board.
ENV MALLOC_ARENA_MAX=2
ENV FIELDCOMMAND_DATA=/data FIELDCOMMAND_LISTEN=0.0.0.0:8080 FIELDCOMMAND_LOG_FORMAT=json
USER fieldcommand
# Not /backups too: every container would leave an empty volume of its own behind.
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["fieldcommand", "health"]
ENTRYPOINT ["fieldcommand"]
