package socialsearch

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Partial is something that an answer lacks, and why: an entry of its errors, which can
// come with data. Their shape is not documented: a field under another name is empty.
type Partial struct {
	Message    string // in short, such as "Not Found Error"; the whole entry, if it has no known name
	Detail     string // in a sentence
	Resource   string // what is missing, such as "user"
	ResourceID string // which one
	Type       string // the kind of the problem, often a URL
}

// Partial returns what the answer lacks, apart from User.
func (a UserAnswer) Partial() []Partial { return partials(a.Errors) }

// Partial returns what the answer lacks, apart from Post.
func (a PostAnswer) Partial() []Partial { return partials(a.Errors) }

// Partial returns what the page lacks, apart from its posts, such as an author that no longer
// exists.
func (p PostPage) Partial() []Partial { return partials(p.Errors) }

func partials(entries []walletfi.Document) []Partial {
	all := make([]Partial, 0, len(entries))
	for _, entry := range entries {
		if p := partial(entry); p != (Partial{}) {
			all = append(all, p)
		}
	}
	return slices.Clip(all)
}

// partial reads one entry, an object, a text, or whatever else says something.
func partial(entry walletfi.Document) Partial {
	var text string
	if json.Unmarshal(entry, &text) == nil {
		return Partial{Message: text}
	}
	var shape entryShape
	transport.Envelop(entry, &shape)
	p := Partial{
		Message: cmp.Or(shape.Title, shape.Message), Detail: shape.Detail, Type: shape.Type,
		Resource: shape.ResourceType, ResourceID: cmp.Or(shape.ResourceID, shape.Value),
	}
	if p == (Partial{}) && !saysNothing(entry) {
		p.Message = string(entry)
	}
	return p
}

// text is the part of p that an error shows.
func (p Partial) text() string { return cmp.Or(p.Detail, p.Message, p.Type) }

// kind is the sentinel that p answers to, nil if p does not say what is wrong.
func (p Partial) kind() error {
	kind := p.Type[strings.LastIndexByte(p.Type, '/')+1:]
	switch short := strings.TrimSuffix(strings.ToLower(p.Message), " error"); {
	case kind == "resource-not-found", short == "not found":
		return walletfi.ErrNotFound
	case kind == "not-authorized-for-resource", short == "authorization":
		return walletfi.ErrForbidden
	}
	return nil
}
