package socialsearch

import (
	"encoding/json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Post is a public post. It has only the fields that the request asks for: see
// [PostField].
type Post struct {
	ID             string        `json:"id" wire:"strict,said,identity"`
	Text           string        `json:"text"`
	AuthorID       string        `json:"author_id"`
	CreatedAt      walletfi.Time `json:"created_at" wire:"free"`
	ConversationID string        `json:"conversation_id"`
	PublicMetrics  *PostMetrics  `json:"public_metrics"` // nil if absent
	Entities       *Entities     `json:"entities"`       // nil if absent

	// Author is the user with AuthorID in the answer, if the request has
	// ExpandAuthor.
	Author *User             `json:"-"`
	Raw    walletfi.Document `json:"-" wire:"raw"`
}

// MarshalJSON writes the post as it came, and one that did not come from the service by
// its fields.
func (p Post) MarshalJSON() ([]byte, error) {
	if !p.Raw.IsZero() {
		return p.Raw, nil
	}
	type fields Post
	return json.Marshal(fields(p))
}

// UnmarshalJSON also keeps the post as it came in Raw.
func (p *Post) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, p)
}

// PostMetrics counts reactions to a post. A count that is absent is nil, not 0.
type PostMetrics struct {
	LikeCount       *int64 `json:"like_count" wire:"free,min=0"`
	RepostCount     *int64 `json:"repost_count" wire:"free,min=0"`
	ReplyCount      *int64 `json:"reply_count" wire:"free,min=0"`
	QuoteCount      *int64 `json:"quote_count" wire:"free,min=0"`
	ImpressionCount *int64 `json:"impression_count" wire:"free,min=0"`
	BookmarkCount   *int64 `json:"bookmark_count" wire:"free,min=0"`
}

// Entities are the links, users and hashtags in a post's text.
type Entities struct {
	URLs     []URLEntity     `json:"urls"`
	Mentions []MentionEntity `json:"mentions"`
	Hashtags []HashtagEntity `json:"hashtags"`
}

// URLEntity is a link.
type URLEntity struct {
	ExpandedURL string `json:"expanded_url"`
}

// MentionEntity names a user.
type MentionEntity struct {
	Username string `json:"username"`
}

// HashtagEntity is a hashtag, without the sign.
type HashtagEntity struct {
	Tag string `json:"tag"`
}

// User is an author of posts. It has only the fields that the request asks for: see
// [UserField].
type User struct {
	ID            string        `json:"id" wire:"strict,said"`
	Username      string        `json:"username" wire:"decides"`
	Name          string        `json:"name"`
	Verified      *bool         `json:"verified" wire:"free"` // nil if absent
	CreatedAt     walletfi.Time `json:"created_at" wire:"free"`
	PublicMetrics *UserMetrics  `json:"public_metrics"` // nil if absent

	Raw walletfi.Document `json:"-" wire:"raw"`
}

// MarshalJSON writes the user as it came, and one that did not come from the service by
// its fields.
func (u User) MarshalJSON() ([]byte, error) {
	if !u.Raw.IsZero() {
		return u.Raw, nil
	}
	type fields User
	return json.Marshal(fields(u))
}

// UnmarshalJSON also keeps the user as it came in Raw.
func (u *User) UnmarshalJSON(b []byte) error {
	return wire.Decode(b, u)
}

// UserMetrics counts a user's followers and posts. A count that is absent is nil.
type UserMetrics struct {
	FollowersCount *int64 `json:"followers_count" wire:"free,min=0"`
	FollowingCount *int64 `json:"following_count" wire:"free,min=0"`
	PostCount      *int64 `json:"post_count" wire:"free,min=0"`
}

// PostPage is one page of posts.
type PostPage struct {
	Items    []Post   `json:"data" wire:"strict,records"` // may be empty although there is a next page
	Includes Includes `json:"includes"`
	Meta     Meta     `json:"meta"`
	// Errors says what is missing from the answer. Its shape is not documented: see
	// [PostPage.Partial].
	Errors []walletfi.Document `json:"errors"`
	Raw    walletfi.Document   `json:"-"`
}

// Includes has the records that the posts refer to.
type Includes struct {
	Users []User `json:"users" wire:"records"`
}

// Meta has the number of posts of a page and the token of the next.
type Meta struct {
	ResultCount *int   `json:"result_count" wire:"free,min=0"` // nil if absent
	NextToken   string `json:"next_token" wire:"strict"`       // empty on the last page
}

// read returns how many posts the service bills for a page: those that it lists,
// or as many as it counts if those are more, but no more than were asked for. If it
// says neither, that is most.
func read(page []byte, most int) int {
	var shape struct {
		Data []json.RawMessage `json:"data"`
		Meta struct {
			ResultCount *float64 `json:"result_count"` // a number of any size bills
		} `json:"meta"`
	}
	if !transport.Envelop(page, &shape) || shape.Data == nil && shape.Meta.ResultCount == nil {
		return most
	}
	n := len(shape.Data)
	if count := shape.Meta.ResultCount; count != nil {
		n = max(n, int(min(max(*count, 0), float64(most))))
	}
	return n
}

// join keeps the page as it came and sets each post's author.
func (p *PostPage) join(raw, _ walletfi.Document) {
	p.Raw, p.Errors = raw, errorsOf(raw, p.Errors)
	authors := make(map[string]*User, len(p.Includes.Users))
	for i := range p.Includes.Users {
		if u := &p.Includes.Users[i]; u.ID != "" && authors[u.ID] == nil {
			authors[u.ID] = u
		}
	}
	for i := range p.Items {
		p.Items[i].Author = authors[p.Items[i].AuthorID]
	}
}
