# .github/workflows/base-image.yml renews the digest. Node 24.19.0 on Debian bookworm, for every platform.
# The bank as JavaScript: Node strips no types from packages, and the image needs none.
ARG NODE_IMAGE=node:24-slim@sha256:a9f5f7c91a432850b2a8a7797adf5eadb6c733ceed61167806cee7ea7fbc29df
FROM ${NODE_IMAGE} AS build
WORKDIR /bank
COPY package.json package-lock.json ./
# The build needs no install script: its Node is that of the image.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
# What is not needed to run: compiled files for other systems, declarations.
RUN find dist/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
  && find dist \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Sandbank" \
  org.opencontainers.image.description="A local sandbox for the open banking API of the Norwegian banks" \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 SANDBANK_LEDGER=/data/ledger.sqlite
# The health check follows --port: the server leaves its address here, which every user can write, also where the rest is read-only.
ENV SANDBANK_ADDRESS_FILE=/dev/shm/sandbank-address
WORKDIR /bank
COPY --from=build /bank/package.json /bank/README.md /bank/CHANGELOG.md /bank/LICENSE ./
COPY --from=build /bank/docs ./docs
COPY --from=build /bank/examples ./examples
COPY --from=build /bank/dist ./dist
RUN chmod +x dist/scripts/sandbank.js && ln -s /bank/dist/scripts/sandbank.js /usr/local/bin/sandbank
# A new volume is a copy of this folder: whoever `docker run --user` names can write to it.
RUN install --directory --owner=node --group=node --mode=1777 /data
USER node
VOLUME /data
EXPOSE 7263
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["sandbank", "ready"]
ENTRYPOINT ["sandbank"]
CMD ["serve"]
