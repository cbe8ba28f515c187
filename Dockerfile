FROM rust:1.95-bookworm AS build
WORKDIR /build
COPY . .
RUN cargo build --profile dist --locked

FROM debian:bookworm-slim
RUN useradd --system --home-dir /data fieldcommand && install -d -o fieldcommand -m 700 /data
COPY --from=build /build/target/dist/fieldcommand /usr/local/bin/fieldcommand
USER fieldcommand
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["fieldcommand"]
