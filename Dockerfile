# Node comes with the image, so the npm package "node" stays the empty shell that it is without its install script.

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages ./packages
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim AS built
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages ./packages
COPY examples/screens ./examples/screens
COPY examples/sign-in ./examples/sign-in
COPY schema ./schema
COPY src ./src
RUN npm ci --ignore-scripts
RUN npm run build:graphiql && npm run build:start

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 SANDBOX_DATA=/data IDEMPOTENCY_FILE=/data/idempotency.db
WORKDIR /app
RUN mkdir -p /data dist/compile-cache && chown node:node /data dist/compile-cache
COPY package.json ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=built /app/dist ./dist
COPY schema ./schema
COPY packages ./packages
COPY src ./src
USER node
# Node writes its cache of compiled modules when a gateway ends. A machine too slow to start one in this time writes none.
RUN PORT=0 UPSTREAM_URL=http://127.0.0.1:1/v1 IDEMPOTENCY_FILE=:memory: timeout 10 node src/start.js; [ $? -eq 124 ]
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/start.js"]
