export { CustomersLayout as default } from "@/app/_texts/area-texts";
