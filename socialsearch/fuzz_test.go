package socialsearch

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzPage(f *testing.F) {
	f.Add(`{"data":[{"id":"1","public_metrics":{"like_count":0}}],"includes":{"users":[{"id":"u"}]},"meta":{"next_token":"t"}}`)
	f.Add(`{"data":[{"id":1,"public_metrics":{"like_count":"7"}}]}`)
	f.Add(`{"errors":[null,{}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		var p PostPage
		if json.Unmarshal([]byte(body), &p) != nil {
			return
		}
		p.join([]byte(body))
		require.Equal(t, body, p.Raw.String())
		for _, post := range p.Items {
			if post.Author != nil {
				require.Equal(t, post.AuthorID, post.Author.ID)
			}
		}
	})
}
