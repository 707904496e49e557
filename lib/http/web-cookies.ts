import { cookies } from "next/headers";
import { type SetCookie, secureCookies } from "./cookies";

/** Sets a cookie of ours from a server action: httpOnly, SameSite=Lax, Secure on https; maxAge 0 deletes. */
export async function keepCookie({ name, value, maxAge, path = "/" }: SetCookie): Promise<void> {
  const jar = await cookies();
  jar.set(name, value, { maxAge, path, httpOnly: true, sameSite: "lax", secure: secureCookies() });
}
