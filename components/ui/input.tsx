import type { ComponentProps } from "react";
import { cn } from "./utils";

export type InputProps = Omit<ComponentProps<"input">, "size"> & {
  /** "xl" is 48 px high. */
  size?: "default" | "xl";
};

/** A line of text. "control", in app/controls.css, has 16 px text on phones, so that iOS does not zoom in. */
export function Input({ className, size = "default", type = "text", ...props }: InputProps) {
  return (
    <input
      data-slot="input"
      type={type}
      className={cn(
        "control",
        size === "xl" ? "base:h-12 base:text-base" : "base:h-10 pointer-coarse:h-11",
        className,
      )}
      {...props}
    />
  );
}

export const emailAttributes = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  autoCapitalize: "none",
  spellCheck: false,
  dir: "ltr",
} as const satisfies ComponentProps<"input">;

/** A field for an e-mail address. Its text is aligned with the start of the column. */
export function EmailInput(props: Omit<InputProps, "type" | "dir">) {
  return <Input {...emailAttributes} className="rtl:text-end" {...props} />;
}
