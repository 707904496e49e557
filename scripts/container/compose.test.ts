import { expect, test } from "vitest";
import { composeServices } from "./compose";

const given = {
  APP_URL: "https://wallet.example.com",
  AUTH_SECRET: "x",
  POSTGRES_PASSWORD: "x",
  APPLICATION_PASSWORD: "x",
  S3_SECRET_ACCESS_KEY: "x",
};
const portsOf = (settings: Record<string, string>) =>
  Object.values(composeServices(settings)).flatMap(({ ports = [] }) => ports);

test("compose publishes every port on this machine alone, unless it is told otherwise", () => {
  const ports = portsOf(given);
  expect(ports).toContain("127.0.0.1:3000:3000");
  expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  expect(portsOf({ ...given, PUBLISH_ON: "10.0.0.5" })).toContain("10.0.0.5:3000:3000");
  expect(composeServices(given).app?.environment?.TRUSTED_PROXIES).toBe(1);
});
