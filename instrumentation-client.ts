import "@/lib/domain/zod-without-eval";
import { TOKEN_KEY } from "@/components/session/stored-session";
import { signServerActions } from "@/components/till-device/sign-actions";

signServerActions(() => localStorage.getItem(TOKEN_KEY));
