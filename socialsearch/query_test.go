package socialsearch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	. "github.com/walletfi/walletfi-go/socialsearch"
)

func TestQuery(t *testing.T) {
	for _, c := range []struct {
		query Query
		want  string
	}{
		{NewQuery(Keyword("solana")), `solana`},
		{NewQuery(Keyword("gm"), Or, Keyword("gn")), `gm OR gn`},
		{NewQuery(Keyword("two words")), `"two words"`},
		{NewQuery(Keyword("OR")), `"OR"`},
		{NewQuery(Keyword("-5%")), `"-5%"`},
		{NewQuery(Keyword("from:x")), `"from:x"`},
		{NewQuery(Keyword("größe")), `größe`},
		{NewQuery(Phrase("to the moon").Not()), `-"to the moon"`},
		{NewQuery(From("ann"), To("bob"), URL("a.example"), Lang("en"), ConversationID("12")), `from:ann to:bob url:a.example lang:en conversation_id:12`},
		{NewQuery(Cashtag("SOL"), Hashtag("gm")), `$SOL #gm`},
		{NewQuery(IsRepost().Not(), IsReply(), HasLinks(), HasMedia()), `-is:repost is:reply has:links has:media`},
		{RawQuery(`(a OR b) c`), `(a OR b) c`},
	} {
		require.NoError(t, c.query.Err(), c.want)
		require.Equal(t, c.want, c.query.String())
	}
}

func TestQueryProblems(t *testing.T) {
	for _, c := range []struct {
		query Query
		want  string
	}{
		{NewQuery(), "is required"},
		{RawQuery("  "), "is required"},
		{NewQuery(Or, Keyword("a")), "must have OR only between"},
		{NewQuery(Keyword("a"), Or), "must have OR only between"},
		{NewQuery(Keyword("a"), Or, Or, Keyword("b")), "must have OR only between"},
		{NewQuery(Or.Not()), "must not exclude OR"},
		{NewQuery(Keyword("a").Not().Not()), "must not exclude a term twice"},
		{NewQuery(Phrase(`say "gm"`)), "quotation mark"},
		{NewQuery(Keyword("")), "empty"},
		{NewQuery(From("@ann")), "from: needs a value without spaces"},
		{NewQuery(From("ann bob")), "from: needs a value without spaces"},
		{NewQuery(Cashtag("$SOL")), "$ needs a value without spaces"},
		{NewQuery(Hashtag("")), "# needs a value without spaces"},
		{RawQuery(strings.Repeat("ü", 1025)), "more than 1024"},
		{RawQuery("\xff"), "UTF-8"},
	} {
		require.ErrorContains(t, c.query.Err(), c.want, c.query.String())
	}
	full := RawQuery(strings.Repeat("ü", 1024))
	require.NoError(t, full.Err(), "characters count, not bytes")
	require.Equal(t, 1024, full.Len())
}

func FuzzKeyword(f *testing.F) {
	for _, seed := range []string{"sol", "OR", "a b", "-x", `"`, "from:me", "#tag", "ü", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		q := NewQuery(Keyword(word), Keyword("tail"))
		if q.Err() != nil {
			return
		}
		head := strings.TrimSuffix(q.String(), " tail")
		if head == word {
			// Unquoted, it must be nothing but a word.
			require.NotContains(t, word, " ")
			require.NotContains(t, word, ":")
			require.NotContains(t, "-#$@(\"", word[:1])
			return
		}
		require.Equal(t, `"`+word+`"`, head)
		require.NotContains(t, word, `"`)
	})
}
