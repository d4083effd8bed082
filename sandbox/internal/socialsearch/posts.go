package socialsearch

import (
	"regexp"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// post is a post.
type post struct {
	id           string
	number       uint64 // the id
	author       *user
	text         string
	lang         string
	created      time.Time
	kept         bool // a test added it
	conversation string
	replyTo      *user // nil if it is no reply
	repost       bool
	media        bool

	likes, reposts, replies, quotes, impressions, bookmarks int
	// metrics is how many of the counts are answered: 0 none, 1 all but the
	// last two, 2 all.
	metrics int

	urls, mentions, hashtags, cashtags []string // from the text
	words                              []string // of the text, in lower case
}

// user is an author.
type user struct {
	id                   string
	username, name       string
	verified, gone       bool
	created              time.Time
	followers, following int
}

var (
	username = regexp.MustCompile(`^[A-Za-z0-9_]{1,15}$`)
	link     = regexp.MustCompile(`https?://[^\s]+`)
	mention  = regexp.MustCompile(`(?:^|[^\w])@([A-Za-z0-9_]{1,15})`)
	hashtag  = regexp.MustCompile(`(?:^|[^\w])#([\p{L}\p{N}_]+)`)
	cashtag  = regexp.MustCompile(`(?:^|[^\w])\$([A-Za-z][A-Za-z0-9_]*)`)
	word     = regexp.MustCompile(`[\p{L}\p{N}_]+`)
)

// read takes the text apart.
func (p *post) read() {
	p.urls = link.FindAllString(p.text, -1)
	p.words = words(p.text)
	rest := link.ReplaceAllString(p.text, " ")
	p.mentions = all(mention, rest)
	p.hashtags = all(hashtag, rest)
	p.cashtags = all(cashtag, rest)
}

func all(pattern *regexp.Regexp, text string) []string {
	return kit.List(pattern.FindAllStringSubmatch(text, -1), func(m []string) string { return m[1] })
}

func words(text string) []string { return word.FindAllString(strings.ToLower(text), -1) }

// answer is the post with the fields that were asked for; id and text always
// come.
func (p *post) answer(fields fields, expand bool) map[string]any {
	a := map[string]any{"id": p.id, "text": p.text}
	if fields["author_id"] || expand {
		a["author_id"] = p.author.id
	}
	if fields["created_at"] {
		a["created_at"] = kit.Stamp(p.created)
	}
	if fields["conversation_id"] {
		a["conversation_id"] = p.conversation
	}
	if fields["public_metrics"] && p.metrics > 0 {
		counts := map[string]int{
			"like_count": p.likes, "repost_count": p.reposts, "reply_count": p.replies, "quote_count": p.quotes,
		}
		if p.metrics > 1 {
			counts["impression_count"], counts["bookmark_count"] = p.impressions, p.bookmarks
		}
		a["public_metrics"] = counts
	}
	if entities := p.entities(); fields["entities"] && len(entities) > 0 {
		a["entities"] = entities
	}
	return a
}

// entities leaves out what the text has none of.
func (p *post) entities() map[string]any {
	entities := map[string]any{}
	for name, found := range map[string]struct {
		key    string
		values []string
	}{"urls": {"expanded_url", p.urls}, "mentions": {"username", p.mentions}, "hashtags": {"tag", p.hashtags}} {
		var items []map[string]string
		for _, v := range found.values {
			items = append(items, map[string]string{found.key: v})
		}
		if items != nil {
			entities[name] = items
		}
	}
	return entities
}

// userAnswer is the user with the fields that were asked for; id, username and
// name always come.
func (b *Service) userAnswer(u *user, fields fields) map[string]any {
	a := map[string]any{"id": u.id, "username": u.username, "name": u.name}
	if fields["verified"] {
		a["verified"] = u.verified
	}
	if fields["created_at"] {
		a["created_at"] = kit.Stamp(u.created)
	}
	if fields["public_metrics"] {
		posts := 0
		for _, p := range b.posts {
			if p.author == u {
				posts++
			}
		}
		a["public_metrics"] = map[string]int{
			"followers_count": u.followers, "following_count": u.following, "post_count": posts,
		}
	}
	return a
}

func (b *Service) user(username string) *user {
	return kit.Find(b.users, func(u *user) bool { return strings.EqualFold(u.username, username) })
}

func (b *Service) post(id string) *post {
	return kit.Find(b.posts, func(p *post) bool { return p.id == id })
}

// fields are those that were asked for.
type fields map[string]bool

// listed reads a list of fields. Unknown ones add nothing.
func listed(list string) fields {
	asked := fields{}
	for item := range strings.SplitSeq(list, ",") {
		asked[item] = true
	}
	return asked
}
