import type { ComponentProps } from "react";
import { controlClass } from "./input";
import { cn } from "./utils";

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      data-slot="textarea"
      className={cn(controlClass, "field-sizing-content min-h-20 py-2 landscape-phone:min-h-14", className)}
      {...props}
    />
  );
}
