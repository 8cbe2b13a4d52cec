// members: which members of the document's schemas have been met in values.
export class Members {
  constructor(document) {
    this.document = document;
    this.seen = new Map(); // schema with properties -> names that were met
  }

  meet(schema, value) {
    const node = this.document.resolve(schema);
    if (!node || value === null || typeof value !== 'object') return;
    for (const branch of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])])
      this.meet(branch, value);
    if (Array.isArray(value)) for (const item of value) this.meet(node.items, item);
    else this.meetObject(node, value);
  }

  meetObject(node, value) {
    if (node.properties && !this.seen.has(node)) this.seen.set(node, new Set());
    for (const [name, item] of Object.entries(value)) {
      const own = node.properties?.[name];
      if (own) this.seen.get(node).add(name);
      this.meet(own ?? node.additionalProperties, item);
    }
  }

  // Those of schemas that were met; a schema that was not is found by its operation.
  *unmet() {
    const names = new Map(Object.entries(this.document.root.components.schemas).map(([name, node]) => [node, name]));
    for (const [node, seen] of this.seen)
      for (const name of Object.keys(node.properties))
        if (!seen.has(name)) yield `member ${names.get(node) ?? 'of a schema without a name'}.${name}`;
  }
}
