package socialsearch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

const (
	// past is how far back the corpus goes: further than the search.
	past = 10 * 24 * time.Hour
	// memory is for how long a post of the corpus can be looked up. One that a test
	// added stays.
	memory = 30 * 24 * time.Hour
	// pace is the time between two posts of the corpus.
	pace = 20 * time.Minute
	// epoch is the time, in milliseconds, that ids count from.
	epoch = 1_288_834_974_657
)

// openUsers makes the authors. The last one's account is gone: its posts are
// still found.
func (b *Service) openUsers() {
	for i, name := range []string{"solwatcher", "defidesk", "lamportlou", "tokentess", "yieldyuri",
		"chainnews", "botbeat", "goneghost"} {
		u := b.addUser(name)
		u.created = b.start.AddDate(-1-i, 0, -i)
		u.verified, u.gone = i%3 == 0, name == "goneghost"
		u.followers, u.following = 37*(i+1)*(i+1), 11*i
	}
}

func (b *Service) addUser(username string) *user {
	u := &user{
		id: strconv.Itoa(44_196_000 + len(b.users)), username: username, created: b.Now(),
		name: strings.ToUpper(username[:1]) + username[1:],
	}
	b.users = append(b.users, u)
	return u
}

// grow makes up the posts that the clock has come to.
func (b *Service) grow() {
	for {
		at := b.start.Add(time.Duration(b.made) * pace)
		if at.After(b.Now()) {
			break
		}
		b.made++
		b.add(b.compose(b.made, at))
	}
	// Three days late, so that the list is not rebuilt for each post.
	if slices.ContainsFunc(b.posts, func(p *post) bool { return p.forgotten(b.Now().Add(-memory / 10)) }) {
		b.posts = slices.DeleteFunc(slices.Clone(b.posts), func(p *post) bool { return p.forgotten(b.Now()) })
	}
}

// forgotten reports whether a post of the corpus is to be let go.
func (p *post) forgotten(now time.Time) bool { return !p.kept && p.created.Before(now.Add(-memory)) }

// texts are what posts say, with $T for a ticker and @U for the
// author that is meant.
var texts = []struct{ text, lang, kind string }{
	{"Bought more $T before the weekend, the chart looks strong #solana", "en", ""},
	{"Thread on $T liquidity and who provides it https://blog.example.com/liquidity #defi", "en", ""},
	{"@U agreed, the volume of $T is thin today", "en", "reply"},
	{"RT @U", "en", "repost"},
	{"New $T chart attached, resistance ahead", "en", "media"},
	{"El precio de $T sube otra vez", "es", ""},
	{"Der Kurs von $T bleibt stabil #Börse", "de", ""},
	{"ソラナ $T 上昇中 🚀", "ja", ""},
	{"Wallet tip: check the mint before you swap $T for anything https://docs.wallet.example.org/safety?ref=$T", "en", ""},
	{"gm", "en", ""},
	{"@U is the airdrop of $T real or a scam?", "en", "reply"},
	{"Market update: $T up, $USDC steady, fees low #solana #market", "en", "media"},
}

// compose makes up a post. The same seed and number make the same one.
func (b *Service) compose(number int, at time.Time) *post {
	rng := rand.New(rand.NewPCG(b.Config.Seed, uint64(number)))
	pick := func(n int) int { return int(rng.Uint64() % uint64(n)) }
	like := texts[pick(len(texts))]
	ticker := []string{"SOL", "USDC", "USDT", "DUST", "TAXED"}[pick(5)]
	p := &post{
		author: b.users[pick(8)], created: at, lang: like.lang, media: like.kind == "media",
		likes: pick(500), reposts: pick(80), replies: pick(40), quotes: pick(20),
		impressions: 500 + pick(90_000), bookmarks: pick(60),
		// Some posts come without their latest counts, some without any.
		metrics: []int{2, 1, 2, 2, 0, 2, 2}[number%7],
	}
	text := strings.ReplaceAll(like.text, "$T", "$"+ticker)
	if like.kind == "reply" || like.kind == "repost" {
		target := b.recentPost(pick(20))
		if target == nil {
			text = strings.ReplaceAll(text, "@U", "everybody")
			like.kind = ""
		} else {
			text = strings.ReplaceAll(text, "@U", "@"+target.author.username)
			p.respond(target, like.kind)
		}
		if p.repost {
			text += ": " + target.text
		}
	}
	p.text = text
	return p
}

// recentPost is the post so many before the last one, nil if there is none.
func (b *Service) recentPost(back int) *post {
	if len(b.posts) <= back {
		return nil
	}
	return b.posts[len(b.posts)-1-back]
}

// respond makes a reply or a repost of a post.
func (p *post) respond(target *post, kind string) {
	if kind == "repost" {
		p.repost, p.media = true, target.media
		return
	}
	p.replyTo, p.conversation = target.author, target.conversation
}

// add puts a post in its place in time.
func (b *Service) add(p *post) {
	p.number = uint64(p.created.UnixMilli()-epoch)<<22 | uint64(b.added&0x3fffff)
	b.added++
	p.id = strconv.FormatUint(p.number, 10)
	if p.conversation == "" {
		p.conversation = p.id
	}
	p.read()
	at := len(b.posts)
	for at > 0 && b.posts[at-1].number > p.number {
		at--
	}
	b.posts = slices.Insert(b.posts, at, p)
}

// AddPost adds a post to what the post search finds and returns its id.
func (b *Service) AddPost(add play.SocialPost) (id string, err error) {
	b.Lock()
	defer b.Unlock()
	b.grow()
	if !username.MatchString(add.Author) {
		return "", fmt.Errorf("sandbox: %q is not a username", add.Author)
	}
	p := &post{
		text: add.Text, lang: add.Lang, created: add.CreatedAt, repost: add.Repost, media: add.Media,
		likes: add.LikeCount, reposts: add.RepostCount, metrics: 2, kept: true,
	}
	if p.created.IsZero() {
		p.created = b.Now()
	}
	if p.lang == "" {
		p.lang = "en"
	}
	if add.InReplyTo != "" {
		target := b.post(add.InReplyTo)
		if target == nil {
			return "", fmt.Errorf("sandbox: there is no post %q", add.InReplyTo)
		}
		p.respond(target, "reply")
	}
	if p.author = b.user(add.Author); p.author == nil {
		p.author = b.addUser(add.Author)
	}
	b.add(p)
	return p.id, nil
}
