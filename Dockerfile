# docker build -t hark . : hark as its package is, with onnxruntime of this platform and speech, and nothing to build with.
ARG NODE=24

FROM node:${NODE}-bookworm-slim AS pack
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY runtime runtime
# The page and the package are made after the sources have come.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run dashboard && npm pack --pack-destination /tmp

FROM gcr.io/distroless/nodejs24-debian12:nonroot AS runtime

FROM node:${NODE}-bookworm-slim AS install
WORKDIR /app
COPY --from=pack /tmp/hark-agent-*.tgz /tmp/
# Whether the ports of hark are free where the image is built says nothing of where it runs.
RUN npm install --ignore-scripts --no-audit --no-fund /tmp/hark-agent-*.tgz \
  && HEALTH_PORT=0 MCP_PORT=0 AUDIO_PORT=0 NODE_COMPILE_CACHE=/tmp/compiled SERVICE_DATA_DIR=/tmp/data \
  node_modules/.bin/hark doctor --fix \
  && cp -r /tmp/data/onnxruntime-*/node_modules/* node_modules/ \
  && mkdir /data compiled && chown 65532:65532 /data compiled
# Compiled once, so that a root that cannot be written to starts as fast as any: by the Node and as the user that will
# read it, since Node takes what another version or another user has compiled for none.
COPY --from=runtime /nodejs /nodejs
USER 65532:65532
RUN export NODE_COMPILE_CACHE=/app/compiled SERVICE_DATA_DIR=/tmp/warm HEALTH_PORT=0 MCP_PORT=0 AUDIO_PORT=0; \
  hark="/nodejs/bin/node /app/node_modules/hark-agent/bin/hark.js"; \
  $hark start > /tmp/started & \
  for tenth in $(seq 300); do grep -q '"msg":"ready"' /tmp/started && break; sleep 0.1; done; \
  port=$(grep -o '"health":[0-9]*' /tmp/started); \
  $hark --url "http://127.0.0.1:${port#*:}" status && kill $! && wait $! && chmod -R a+rX compiled

FROM runtime
LABEL org.opencontainers.image.title="hark" \
  org.opencontainers.image.description="A self-hosted agent backend that listens, acts and remembers, on a log of events." \
  org.opencontainers.image.licenses="MIT"
COPY --from=install --chown=0:0 /app/node_modules /app/node_modules
COPY --from=install --chown=0:0 /app/compiled /app/compiled
COPY --from=install --chown=65532:65532 /data /data
WORKDIR /data
ENV SERVICE_DATA_DIR=/data SERVICE_HOST=0.0.0.0 NODE_COMPILE_CACHE=/app/compiled
VOLUME /data
EXPOSE 4102 4100 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["/nodejs/bin/node", "/app/node_modules/hark-agent/bin/hark.js", "status"]
ENTRYPOINT ["/nodejs/bin/node", "--v8-pool-size=0", "--max-semi-space-size=16", "/app/node_modules/hark-agent/bin/hark.js"]
CMD ["start"]
