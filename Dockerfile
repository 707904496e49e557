# syntax=docker/dockerfile:1

# Everything: packages, sources, the build. Also the image of the commands that need the sources
# (--target tools: npm run migrate, npm run admin:create).
FROM node:24-bookworm-slim AS tools
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1 PRISMA_HIDE_UPDATE_MESSAGE=1
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# Makes the database client and the standalone server, with .next/static and public copied beside it. Needs no settings.
RUN npm run build
USER node
CMD ["npm", "run", "migrate"]

# What runs: the standalone server alone.
FROM node:24-bookworm-slim AS app
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOSTNAME=0.0.0.0 PORT=3000
COPY --from=tools --chown=node:node /app/.next/standalone ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server.js"]
