import { z } from "zod";
import { POSTER_KINDS, POSTER_LANGUAGES } from "./poster-kinds";

export const posterSchema = z.object({
  kind: z.enum(POSTER_KINDS, "validation.invalid").default("poster"),
  language: z.enum(POSTER_LANGUAGES, "validation.invalid").default("both"),
});
