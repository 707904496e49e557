import { ACCOUNT_TEMPLATES } from "./accounts";
import { CARD_TEMPLATES } from "./cards";
import { CODE_TEMPLATES } from "./codes";

/** Every e-mail the product sends. */
export const TEMPLATES = { ...CODE_TEMPLATES, ...ACCOUNT_TEMPLATES, ...CARD_TEMPLATES };
export type TemplateName = keyof typeof TEMPLATES;
export type TemplateParams = { [Name in TemplateName]: Parameters<(typeof TEMPLATES)[Name]>[1] };
