package walletfi

// Vocabulary translates the neutral words of the documentation to the words of
// a live deployment, each map from neutral to live. Requests are translated on
// their way out, responses on their way in. What a service wants back
// byte for byte keeps the live words.
type Vocabulary struct {
	Headers  map[string]string            // header names: "x-demo-api-key"
	Query    map[string]string            // query parameter names: "post.fields"
	Segments map[string]string            // whole path segments: "posts"
	Keys     map[string]string            // JSON object keys: "repost_count"
	Values   map[string]map[string]string // enumeration values by the neutral name of their key or query parameter
}

// IsZero reports whether nothing is translated.
func (v Vocabulary) IsZero() bool {
	return len(v.Headers)+len(v.Query)+len(v.Segments)+len(v.Keys)+len(v.Values) == 0
}
