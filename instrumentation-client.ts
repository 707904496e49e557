import "@/lib/domain/zod-without-eval";
import { confirmIdentity } from "@/components/session/step-up";
import { TOKEN_KEY } from "@/components/session/stored-session";
import { tillFetch } from "@/components/till-device/till-fetch";
import { connectClient } from "@/lib/api/connection";

connectClient({
  session: () => localStorage.getItem(TOKEN_KEY),
  send: tillFetch,
  confirm: confirmIdentity,
});
