# The server of Replay Desk with its built page; see docs/operation.md.
FROM node:24-bookworm-slim AS page
WORKDIR /app
COPY package.json package-lock.json ./
# The image provides Node: no script has to fetch it.
RUN npm ci --ignore-scripts
COPY tsconfig.base.json vite.config.ts vite.documents.ts vite.plugins.ts index.html ./
COPY domain ./domain
COPY db ./db
COPY machines ./machines
COPY src ./src
COPY public ./public
COPY server/app/page-sources.ts ./server/app/
RUN node node_modules/vite/bin/vite.js build

FROM node:24-bookworm-slim AS libraries
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4600 DATA_DIR=/data
COPY --from=libraries /app/node_modules ./node_modules
COPY --from=page /app/dist ./dist
COPY package.json ./
COPY domain ./domain
COPY src/adapters ./src/adapters
COPY server ./server
# Only the server's own user can read its data.
RUN install --directory --mode=700 --owner=node --group=node /data
# The user node; as a number, so that Kubernetes can tell it from root (runAsNonRoot).
USER 1000
VOLUME /data
EXPOSE 4600
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "server/bin/healthcheck.ts"]
# As `npm start`, without the build: limits the young generation of the heap.
CMD ["node", "--max-semi-space-size=4", "server/bin/start.ts", "--built"]
