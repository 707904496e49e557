"use server";

import { confirmMailbox } from "@/lib/accounts/prove-mailbox";
import { action } from "@/lib/http/action";

export const confirmMailboxAction = action(confirmMailbox);
