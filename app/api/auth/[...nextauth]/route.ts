import { nextAuth } from "@/lib/sessions/auth";

export const { GET, POST } = nextAuth.handlers;
