import { same } from "./names";

export const passParams = same("passType", "serial");
export const deviceParams = same("device", "passType");
export const registrationParams = same("device", "passType", "serial");
export const registrationBody = same("pushToken");
export const changedQuery = { passesUpdatedSince: "since" } as const;
export const logBody = same("logs");

/** The answer with a .pkpass file and the headers that Apple's web service requires: its type and when it last changed. */
export function passResponse(file: { bytes: Uint8Array; changedAt: Date; businessName: string }): Response {
  const name = encodeURIComponent(`${file.businessName.replaceAll(/\s+/g, "-")}.pkpass`);
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      "Content-Type": "application/vnd.apple.pkpass",
      "Content-Disposition": `attachment; filename="loyalty-card.pkpass"; filename*=UTF-8''${name}`,
      "Last-Modified": file.changedAt.toUTCString(),
      "Cache-Control": "no-store",
    },
  });
}
