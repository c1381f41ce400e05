# The whole service in one image: API, redirects, pages, dashboard and docs.
#
#   docker build -t waymark .
#   docker run --read-only --tmpfs /tmp -v waymark:/data -p 3000:3000 waymark
#
# BASE is any Debian image with Node 24.14 or newer and npm.
ARG BASE=docker.io/library/node:26-bookworm-slim

# The package of the server, made of this clone. `npm run release` makes it beforehand and leaves this stage out.
FROM ${BASE} AS package
WORKDIR /clone
COPY . .
RUN npm ci && npm run -s release -- --server /release/waymark.tgz

FROM ${BASE} AS installed
COPY --from=package /release/waymark.tgz /
RUN npm install --global --prefix /opt/waymark --omit=dev --ignore-scripts --no-audit --no-fund /waymark.tgz

FROM ${BASE}
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
COPY --from=installed /opt/waymark /opt/waymark
RUN ln -s /opt/waymark/bin/waymark /usr/local/bin/waymark && mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 3000) + '/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# It ends within ten seconds of SIGTERM; `docker stop` waits as long.
STOPSIGNAL SIGTERM
ENTRYPOINT ["waymark"]
CMD ["serve"]
