package walletfi

// Vocabulary translates the neutral words of the documentation to the words of a
// live deployment. Each map goes from neutral to live. Requests are translated
// before they are sent and responses when they arrive, with the names of their
// headers.
//
// Typed fields, documents and the Raw of a part of an answer (a post, a pool)
// use the neutral words. What a service wants back byte for byte keeps the live
// words. So does everything that is kept as it came: [RawResponse], the excerpt
// in an error, the Raw of a page of posts or positions and of a feed's message,
// the body of a delivery.
//
// New returns a [ValidationError] if two neutral words have the same live word.
type Vocabulary struct {
	Headers  map[string]string // header names: "x-demo-api-key"
	Query    map[string]string // query parameter names: "post.fields"
	Segments map[string]string // whole path segments: "posts"
	Keys     map[string]string // JSON object keys: "repost_count"
	// Values has enumeration values under the neutral name of their key, query
	// parameter or search operator ("is").
	Values map[string]map[string]string
}

// IsZero reports whether nothing is translated.
func (v Vocabulary) IsZero() bool {
	return len(v.Headers)+len(v.Query)+len(v.Segments)+len(v.Keys)+len(v.Values) == 0
}
