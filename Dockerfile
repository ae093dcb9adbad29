# docker build -t hark . : hark as its package is, with onnxruntime of this platform and speech, and nothing to build with.
ARG NODE=24

FROM node:${NODE}-bookworm-slim AS pack
WORKDIR /src
COPY package.json package-lock.json ./
COPY runtime runtime
# The page and the package are made after the sources have come.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run dashboard && npm pack --pack-destination /tmp

FROM node:${NODE}-bookworm-slim AS install
WORKDIR /app
COPY --from=pack /tmp/hark-agent-*.tgz /tmp/
RUN npm install --ignore-scripts --no-audit --no-fund /tmp/hark-agent-*.tgz \
  && SERVICE_DATA_DIR=/tmp/data node_modules/.bin/hark doctor --fix \
  && cp -r /tmp/data/onnxruntime-*/node_modules/* node_modules/ \
  && mkdir /data
# Compiled once, so that a root that cannot be written to starts as fast as any.
RUN NODE_COMPILE_CACHE=/app/compiled HEALTH_PORT=0 MCP_PORT=0 AUDIO_PORT=0 SERVICE_DATA_DIR=/tmp/warm \
  timeout --preserve-status 20 node node_modules/hark-agent/bin/hark.js start

FROM gcr.io/distroless/nodejs24-debian12:nonroot
COPY --from=install /app /app
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
