package walletfi

// Vocabulary translates the neutral words of the documentation to the words of
// a live deployment, each map from neutral to live. Requests are translated on
// their way out, responses on their way in, the names of their headers
// included.
//
// Typed fields, documents and the Raw of a part of an answer (a post, a pool)
// are in the neutral words. What a service wants back byte for byte keeps the
// live words, and so does what is kept as it came: RawResponse, the excerpt in
// an error, the Raw of a page of posts or positions and of a feed's message,
// the body of a delivery.
//
// Two neutral words for one live word are a ValidationError from New.
type Vocabulary struct {
	Headers  map[string]string // header names: "x-demo-api-key"
	Query    map[string]string // query parameter names: "post.fields"
	Segments map[string]string // whole path segments: "posts"
	Keys     map[string]string // JSON object keys: "repost_count"
	// Values has enumeration values by the neutral name of their key, of their
	// query parameter, or of their operator in a search ("is").
	Values map[string]map[string]string
}

// IsZero reports whether nothing is translated.
func (v Vocabulary) IsZero() bool {
	return len(v.Headers)+len(v.Query)+len(v.Segments)+len(v.Keys)+len(v.Values) == 0
}
