"use server";

import { confirmMailbox } from "@/lib/accounts/prove-mailbox";
import { action } from "@/lib/api/action";

export const confirmMailboxAction = action(confirmMailbox);
