import { config } from "zod/v4/core";

// The content security policy forbids eval; without this, zod's first parse tries it and each page reports a violation.
config({ jitless: true });
