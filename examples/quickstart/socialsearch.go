package main

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// postSearch reads posts with a budget of 0.06, which a second page of ten
// would exceed.
func postSearch(ctx context.Context, t *tour) error {
	meter, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: 60_000})
	if err != nil {
		return err
	}
	c, err := socialsearch.New(socialsearch.Config{
		BaseURL: t.sandbox.URL(sandbox.SocialSearch), BearerToken: walletfi.NewSecret(t.sandbox.APIKey(sandbox.SocialSearch)),
		TokenKind: socialsearch.TokenApp, Spend: meter,
	})
	if err != nil {
		return err
	}
	query := socialsearch.NewQuery(socialsearch.Cashtag("SOL"), socialsearch.IsRepost().Not())
	found := 0
	for post, err := range c.AllSearchRecent(ctx, socialsearch.SearchRequest{
		Query: query, Expansions: []socialsearch.Expansion{socialsearch.ExpandAuthor},
		PostFields: []socialsearch.PostField{socialsearch.PostAuthorID},
	}) {
		if errors.Is(err, socialsearch.ErrSpendBudget) {
			t.say("stopped    %v", err)
			break
		}
		if err != nil {
			return err
		}
		if found++; found == 1 && post.Author != nil {
			t.say("post       @%s: %.60s", post.Author.Username, post.Text)
		}
	}
	t.say("read       %d posts for %s", found, meter.Spent())
	return errors.Join(
		check(found > 0, "there are posts"),
		check(meter.Spent() == socialsearch.Cost(found)*socialsearch.CostPostRead, "each post is paid once"),
	)
}
