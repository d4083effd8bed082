package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// classify recognises licences by Google's collection of their texts.
type classify struct{ by *classifier.Classifier }

func newClassifier() (classify, error) {
	by, err := assets.DefaultClassifier()
	return classify{by}, err
}

var named = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice)([-_.].*)?$`)

// folder returns the licences in the root of a module, as SPDX names them.
func (c classify) folder(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if e.IsDir() || !named.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		for _, match := range c.by.Match(text).Matches {
			if match.MatchType == "License" && match.Confidence >= 0.9 {
				found = append(found, match.Name)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}
