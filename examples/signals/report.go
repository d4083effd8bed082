package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// report prints one line per candle, with the posts of its time.
func (s *services) report(ctx context.Context, q question, out io.Writer) error {
	since := time.Now().Add(-time.Duration(q.hours) * time.Hour).Truncate(candleLength)
	candles, err := s.readCandles(ctx, q, since)
	if err != nil {
		return err
	}
	posts, cut, err := s.readPosts(ctx, q, since)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FROM (UTC)\tCLOSE USD\tCHANGE\tVOLUME USD\tPOSTS\tLIKES\tTHE MOST LIKED")
	for _, candle := range candles {
		written := "?\t?\t" // not read, which differs from no posts
		if !cut || len(posts) > 0 && !candle.Timestamp.Before(posts[len(posts)-1].CreatedAt.Time) {
			written = mentions(during(candle, posts))
		}
		fmt.Fprintf(w, "%s\t%s\n", traded(candle), written)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d posts about $%s read for %v, of a budget of %v\n",
		len(posts), q.ticker, s.meter.Spent(), q.budget)
	if cut {
		fmt.Fprintln(out, "the budget ended the search: posts older than those are missing")
	}
	return nil
}

// during returns the posts in the time of a candle.
func during(candle onchaindata.Candle, posts []socialsearch.Post) (list []socialsearch.Post) {
	end := candle.Timestamp.Add(candleLength)
	for _, post := range posts {
		if !post.CreatedAt.Before(candle.Timestamp.Time) && post.CreatedAt.Before(end) {
			list = append(list, post)
		}
	}
	return list
}

// traded writes a candle. Floats are precise enough for display; the fields of
// the candle are exact.
func traded(candle onchaindata.Candle) string {
	return fmt.Sprintf("%s\t%.6g\t%s\t%.0f", candle.Timestamp.UTC().Format("Jan 02 15:04"),
		candle.Close.Float64(), change(candle), candle.Volume.Float64())
}

func change(candle onchaindata.Candle) string {
	open := candle.Open.Float64()
	if open == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.2f%%", 100*(candle.Close.Float64()/open-1))
}

// mentions writes the number of posts, their likes, and the most liked post. If
// the service left out a count, the sum ends in a plus.
func mentions(posts []socialsearch.Post) string {
	var sum, most, unknown int64 = 0, -1, 0
	loudest := ""
	for _, post := range posts {
		if post.PublicMetrics == nil || post.PublicMetrics.LikeCount == nil {
			unknown++
			continue
		}
		count := *post.PublicMetrics.LikeCount
		if sum += count; count > most {
			most, loudest = count, author(post)+": "+excerpt(post.Text)
		}
	}
	likes := fmt.Sprint(sum)
	switch {
	case most < 0:
		likes = "-"
	case unknown > 0:
		likes += "+"
	}
	return fmt.Sprintf("%d\t%s\t%s", len(posts), likes, loudest)
}

func author(post socialsearch.Post) string {
	if post.Author == nil || post.Author.Username == "" {
		return "somebody"
	}
	return "@" + excerpt(post.Author.Username)
}

// excerpt returns the start of a text on one line. Anyone can write a post, so
// characters that would move the cursor are removed.
func excerpt(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > 48 {
		text = strings.TrimSpace(string(runes[:47])) + "…"
	}
	return text
}
