import { createServer, type Server } from "node:http";
import { collectDefaultMetrics } from "prom-client";
import { log } from "@/lib/observe/log";
import { metrics } from "@/lib/observe/metrics";
import { oncePerProcess } from "@/lib/observe/once";
import { addBacklogMetrics } from "./backlog";

/** Serves GET /api/metrics for Prometheus, once a process, on a port that must not be public. A taken port is logged. */
export const startMetricsServer = ({ port, host }: { port: number; host: string }): Server =>
  oncePerProcess("metrics server", () => {
    const { registry } = metrics();
    collectDefaultMetrics({ register: registry });
    addBacklogMetrics();
    const server = createServer((request, response) => {
      if (request.method !== "GET" || request.url?.split("?", 1)[0] !== "/api/metrics") {
        response.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { "Content-Type": registry.contentType }).end(text),
        (error: unknown) => {
          log("error", "metrics", { error });
          response.writeHead(500).end();
        },
      );
    });
    server.requestTimeout = 10_000;
    server.on("error", (error) => log("error", "the metrics are not served", { port, error }));
    server.listen(port, host);
    // The metrics alone do not keep the process running.
    return server.unref();
  });
