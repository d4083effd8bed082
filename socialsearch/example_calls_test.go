package socialsearch_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// onSandbox is a client of the sandbox, which has all services in this process.
func onSandbox() (*socialsearch.Client, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, err := socialsearch.New(socialsearch.Config{
		BaseURL:     s.URL(sandbox.SocialSearch),
		BearerToken: walletfi.NewSecret(s.APIKey(sandbox.SocialSearch)),
		Options:     s.Options(),
	})
	if err != nil {
		panic(err)
	}
	return client, s
}

func ExampleClient_SearchRecent() {
	client, s := onSandbox()
	defer s.Close()
	_, err := s.SocialSearch().AddPost(sandbox.SocialPost{Author: "ann", Text: "zebra ahead", LikeCount: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := client.SearchRecent(context.Background(), socialsearch.SearchRequest{
		Query:      socialsearch.NewQuery(socialsearch.Keyword("zebra"), socialsearch.From("ann")),
		PostFields: []socialsearch.PostField{socialsearch.PostPublicMetrics}, Limit: new(10),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, post := range page.Items {
		fmt.Println(post.Text, *post.PublicMetrics.LikeCount)
	}
	// Output: zebra ahead 3
}

func ExampleClient_GetUserByUsername() {
	client, s := onSandbox()
	defer s.Close()
	if _, err := s.SocialSearch().AddPost(sandbox.SocialPost{Author: "ann", Text: "gm"}); err != nil {
		fmt.Println(err)
		return
	}
	user, err := client.GetUserByUsername(context.Background(), "ann")
	if err != nil {
		fmt.Println(err)
		return
	}
	posts, err := client.ListUserPosts(context.Background(), user.User.ID, socialsearch.UserPostsRequest{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(user.User.Username, "wrote", posts.Items[0].Text)
	// Output: ann wrote gm
}

func ExampleNewQuery() {
	query := socialsearch.NewQuery(
		socialsearch.Cashtag("SOL"), socialsearch.Lang("en"), socialsearch.HasLinks(), socialsearch.IsRepost().Not(),
	)
	fmt.Println(query)
	// Output: $SOL lang:en has:links -is:repost
}

// A call that could cost more than is left is not sent.
func ExampleNewMeter() {
	_, s := onSandbox()
	defer s.Close()
	meter, err := socialsearch.NewMeter(socialsearch.MeterConfig{Budget: 1}) // a millionth of a dollar
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := socialsearch.New(socialsearch.Config{
		BaseURL: s.URL(sandbox.SocialSearch), BearerToken: walletfi.NewSecret(s.APIKey(sandbox.SocialSearch)),
		Spend: meter, Options: s.Options(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.GetUserByUsername(context.Background(), "ann")
	fmt.Println(errors.Is(err, socialsearch.ErrSpendBudget), meter.Spent())
	// Output: true 0
}

func ExampleClient_AllUserPosts() {
	client, s := onSandbox()
	defer s.Close()
	for _, text := range []string{"gm", "gn"} {
		if _, err := s.SocialSearch().AddPost(sandbox.SocialPost{Author: "ann", Text: text}); err != nil {
			fmt.Println(err)
			return
		}
	}
	user, err := client.GetUserByUsername(context.Background(), "ann")
	if err != nil {
		fmt.Println(err)
		return
	}
	for post, err := range client.AllUserPosts(context.Background(), user.User.ID, socialsearch.UserPostsRequest{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(post.Text)
	}
	// Unordered output:
	// gm
	// gn
}
