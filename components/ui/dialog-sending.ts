"use client";

import { createContext, type RefObject } from "react";

/**
 * Whether something in the surrounding dialog is being sent: until it is answered, nobody closes the dialog. Apart from the
 * dialog, so that a form on a page does not load one.
 */
export const DialogSending = createContext<RefObject<boolean> | null>(null);
