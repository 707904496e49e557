export { Rest as default } from "@/app/_panels/panel-frame";
