declare module "virtual:policies" {
  const policies: { name: string; title: string; text: string }[];
  export default policies;
}
