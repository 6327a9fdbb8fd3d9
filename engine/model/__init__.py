"""Everything that touches a model folder or a loaded model, without knowing of speculation."""
