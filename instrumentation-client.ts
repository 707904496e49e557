import "@/lib/domain/zod-without-eval";
import { confirmIdentity } from "@/components/accounts/session/step-up";
import { TOKEN_KEY } from "@/components/accounts/session/stored-session";
import { tillFetch } from "@/components/tills/device/till-fetch";
import { connectClient } from "@/lib/api/connection";

connectClient({
  session: () => localStorage.getItem(TOKEN_KEY),
  send: tillFetch,
  confirm: confirmIdentity,
});
