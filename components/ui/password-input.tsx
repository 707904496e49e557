"use client";

import { EyeIcon, EyeOffIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Input, type InputProps } from "./input";
import { cn } from "./utils";

/** A password with a show button. Set `autoComplete` to "current-password" or "new-password". */
export function PasswordInput({ className, ...props }: Omit<InputProps, "type">) {
  const t = useTranslations("forms");
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOffIcon : EyeIcon;
  return (
    <div className="relative">
      <Input
        autoCapitalize="none"
        spellCheck={false}
        {...props}
        type={shown ? "text" : "password"}
        className={cn("pe-11", className)}
      />
      <button
        type="button"
        aria-label={shown ? t("hidePassword") : t("showPassword")}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 end-0 flex w-11 items-center justify-center rounded-md text-muted-foreground hover:text-foreground"
      >
        <Icon className="size-4.5" aria-hidden />
      </button>
    </div>
  );
}
