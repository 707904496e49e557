import { config } from "zod/v4/core";
import { TOKEN_KEY } from "@/components/session/stored-session";
import { signServerActions } from "@/components/till-device/sign-actions";

// The content security policy forbids eval; without this, zod's first parse tries it and each page reports a violation.
config({ jitless: true });

signServerActions(() => localStorage.getItem(TOKEN_KEY));
