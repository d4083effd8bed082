package socialsearch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/socialsearch"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":[{"id":"1","text":"$SOL to the moon","author_id":"u1"}],
			"includes":{"users":[{"id":"u1","username":"ann"}]},"meta":{"result_count":1}}`)
	}))
	defer server.Close()

	meter, _ := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: 500_000}) // 0.50
	client, err := socialsearch.New(socialsearch.Config{
		BaseURL:     server.URL,
		BearerToken: walletfi.NewSecret("token"),
		Spend:       meter,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	query := socialsearch.NewQuery(socialsearch.Cashtag("SOL"), socialsearch.IsRepost().Not(), socialsearch.Lang("en"))
	for post, err := range client.AllSearchRecent(context.Background(), socialsearch.SearchRequest{
		Query: query, Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
	}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", post.Author.Username, post.Text)
	}
	fmt.Println(query, "cost", meter.Spent())
	// Output:
	// ann: $SOL to the moon
	// $SOL -is:repost lang:en cost 0.005
}
