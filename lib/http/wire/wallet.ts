import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";

const name = z.string().min(1).max(200);

export const passParams = z.object({ passType: name, serial: idSchema });
export const deviceParams = z.object({ device: name, passType: name });
export const registrationParams = z.object({ device: name, passType: name, serial: idSchema });
export const registrationBody = z.object({ pushToken: z.string().min(1).max(400) });
export const changedQuery = z.object({ passesUpdatedSince: z.string().max(40).optional() });
export const logBody = z.object({ logs: z.array(z.string().max(2000)).max(100) });

/** The .pkpass of a result, with what Apple's web service asks for: its type and when it last changed. */
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
