# The whole service in one image: API, redirects, pages, dashboard and docs.
#
#   docker build -t waymark .
#   docker run --read-only --tmpfs /tmp -v waymark:/data -p 3000:3000 waymark

FROM node:26-bookworm-slim AS manifests
WORKDIR /app
# Manifests first: dependencies are installed anew only when one of them changes.
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY packages/codes/package.json packages/codes/
COPY packages/contract/package.json packages/contract/
COPY packages/page/package.json packages/page/
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY packages/web/package.json packages/web/

# What the service needs to run, without the Node that npm brings for clones: the image has its own.
FROM manifests AS dependencies
RUN npm ci --omit=dev --ignore-scripts -w packages/server

FROM manifests AS dashboard
RUN npm ci --ignore-scripts
COPY packages packages
RUN npm run build
RUN find packages -name '*.test.ts' -delete

FROM node:26-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dashboard /app/packages/codes packages/codes
COPY --from=dashboard /app/packages/contract packages/contract
COPY --from=dashboard /app/packages/page packages/page
COPY --from=dashboard /app/packages/server packages/server
COPY --from=dashboard /app/packages/web/dist packages/web/dist
COPY deploy/make-bucket.mjs deploy/
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 3000) + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# It ends within ten seconds of SIGTERM; `docker stop` waits as long.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "packages/server/bin/waymark.mjs"]
CMD ["serve"]
