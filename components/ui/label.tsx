"use client";

import { Label as LabelPrimitive } from "radix-ui";
import { part } from "./utils";

export const Label = part(LabelPrimitive.Root, "label", "label");
