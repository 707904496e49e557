import type { z } from "zod";
import type { Branch, createBranchSchema, updateBranchSchema } from "@/lib/domain/branch";
import type { ActionResult } from "@/lib/domain/result";

export type CreateBranchAction = (input: z.input<typeof createBranchSchema>) => Promise<ActionResult<Branch>>;
export type UpdateBranchAction = (input: z.input<typeof updateBranchSchema>) => Promise<ActionResult<Branch>>;
export type RemoveBranchAction = (input: { id: string }) => Promise<ActionResult<{ archived: boolean }>>;
