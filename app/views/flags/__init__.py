"""The settings of speculation as a pane: every flag with its control, its words and its source."""
